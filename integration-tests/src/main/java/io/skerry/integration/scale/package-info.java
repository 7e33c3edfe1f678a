/**
 * Planning, ownership and allocation on tens of thousands of virtual ranks, with counted messages.
 * Start at {@link io.skerry.integration.scale.ScaleReport}.
 */
package io.skerry.integration.scale;
