/**
 * Values of elements and attributes of every datatype, and the contents to which they refer. Start
 * at {@link Value}. {@link io.skerry.Dataset} and {@link io.skerry.Attribute} return them.
 */
package io.skerry.value;
