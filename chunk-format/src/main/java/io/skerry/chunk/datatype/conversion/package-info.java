/** Conversion of elements between datatypes by the rules of HDF5. Start at {@link Conversion}. */
package io.skerry.chunk.datatype.conversion;
