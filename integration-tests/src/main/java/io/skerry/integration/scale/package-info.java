/**
 * Runs planning, ownership and allocation on tens of thousands of virtual ranks, and counts the
 * messages. Start at {@link io.skerry.integration.scale.ScaleReport}.
 */
package io.skerry.integration.scale;
