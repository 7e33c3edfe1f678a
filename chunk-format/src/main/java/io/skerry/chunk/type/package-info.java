/** Datatypes as values. Start at {@code Datatype}. */
package io.skerry.chunk.type;
