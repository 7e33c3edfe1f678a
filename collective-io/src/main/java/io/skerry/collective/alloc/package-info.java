/**
 * Where encoded chunks go: blocks that this rank freed before, else one prefix sum over the ranks.
 * Start at {@link io.skerry.collective.alloc.Placement}.
 */
package io.skerry.collective.alloc;
