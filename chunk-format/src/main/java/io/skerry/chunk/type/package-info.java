/**
 * Datatypes as values, their stored form, and conversion between numbers. Not here: shared and
 * committed datatypes, which are objects of a file. Start at {@code Datatype}; {@code
 * DatatypeCodec} has the bytes, {@code Conversion} moves elements.
 */
package io.skerry.chunk.type;
