/**
 * Ranks by the ten thousand on one machine: what planning, ownership and allocation ask of a rank
 * when there are many. Start at {@link io.skerry.testkit.scale.ScaleReport}.
 */
package io.skerry.testkit.scale;
