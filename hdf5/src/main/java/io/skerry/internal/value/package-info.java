/**
 * Converts between elements in the file datatype and Java values, and encodes elements in their
 * canonical form. Start at {@link io.skerry.internal.value.ValueReader} and {@link
 * io.skerry.internal.value.ValueWriter}.
 */
package io.skerry.internal.value;
