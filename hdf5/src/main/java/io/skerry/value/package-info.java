/** Values of elements and attributes of every datatype, and the contents that they refer to. */
package io.skerry.value;
