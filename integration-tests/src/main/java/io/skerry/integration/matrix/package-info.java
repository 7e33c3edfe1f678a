/**
 * Parallel writes and reads of filtered and unfiltered chunks. The cases cover those of the
 * parallel filter tests of the C library ({@code testpar/t_filters_parallel.c}), and add sparse
 * storage, more numbers of ranks, and selections that overlap. A case is one value of each
 * dimension, see {@link io.skerry.integration.matrix.MatrixCase}; {@link
 * io.skerry.integration.matrix.CoveringArray} chooses a small set of cases that contains each pair
 * of values.
 */
package io.skerry.integration.matrix;
