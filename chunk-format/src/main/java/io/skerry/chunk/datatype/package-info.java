/** The datatype message, and the location of variable-length parts in an element. */
package io.skerry.chunk.datatype;
