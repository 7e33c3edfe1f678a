/**
 * The datatype message, and the location of variable-length parts in an element. Start at {@link
 * DatatypeCodec}.
 */
package io.skerry.chunk.datatype;
