/**
 * Datatypes of elements: one record for each HDF5 datatype class. Start at {@link Datatype}. The
 * encoding of datatype messages is in {@code io.skerry.chunk.datatype}.
 *
 * <p>No argument may be null: a null causes a {@link NullPointerException}.
 */
package io.skerry.datatype;
