/** Conversion of elements between datatypes by the rules of HDF5. */
package io.skerry.chunk.datatype.conversion;
