/**
 * Datatypes of elements: one record for each HDF5 datatype class. Start at {@link Datatype}. The
 * encoding of datatype messages is in {@code io.skerry.chunk.datatype}.
 */
package io.skerry.datatype;
