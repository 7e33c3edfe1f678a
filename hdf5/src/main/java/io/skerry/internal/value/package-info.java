/**
 * Converts between elements in the datatype of the file and Java values, and computes the canonical
 * form of both. Start at {@link io.skerry.internal.value.ValueReader} and {@link
 * io.skerry.internal.value.ValueWriter}.
 */
package io.skerry.internal.value;
