/**
 * The access patterns of the matrix: the selections that the ranks write and read in each step.
 * Start at {@link io.skerry.integration.matrix.pattern.Scenario}.
 */
package io.skerry.integration.matrix.pattern;
