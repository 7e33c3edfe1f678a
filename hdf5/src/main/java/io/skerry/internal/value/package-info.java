/**
 * Converts between elements in the datatype of the file and Java values, and encodes elements in
 * their canonical form. Start at {@link io.skerry.internal.value.ValueReader} and {@link
 * io.skerry.internal.value.ValueWriter}.
 */
package io.skerry.internal.value;
