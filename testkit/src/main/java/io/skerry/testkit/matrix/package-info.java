/**
 * Every way in which ranks write and read filtered and unfiltered chunks together: what the
 * parallel filter tests of the C library ({@code testpar/t_filters_parallel.c}) go through, with
 * sparse storage, more numbers of ranks and selections that really overlap. A case is one value of
 * each dimension, see {@link io.skerry.testkit.matrix.MatrixCase}; {@link
 * io.skerry.testkit.matrix.CoveringArray} chooses so few of them that each pair of values still
 * meets in one.
 */
package io.skerry.testkit.matrix;
