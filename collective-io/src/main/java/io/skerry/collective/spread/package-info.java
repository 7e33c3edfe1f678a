/**
 * One HDF5 file whose bytes lie in several: families (pieces of equal size) and multi files (one
 * for each kind of content), for reading. Not external data files or virtual datasets, whose
 * metadata are in one file. Start at {@link io.skerry.collective.spread.SpreadSearch}.
 */
package io.skerry.collective.spread;
