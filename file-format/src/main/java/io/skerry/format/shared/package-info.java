/**
 * The table of shared messages of a file: which message types are shared, the heap that stores
 * them, and the index that counts the references to them. References in object headers are in
 * {@code io.skerry.format.message}; {@code FormatFile} resolves them through this table. Start at
 * {@link io.skerry.format.shared.SharedMessageTable}.
 */
package io.skerry.format.shared;
