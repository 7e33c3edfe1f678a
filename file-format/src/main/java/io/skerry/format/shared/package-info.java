/**
 * The table of shared messages of a file: the message types that are shared, the heaps that store
 * the messages, and the indexes that count the references to them. References in object headers are
 * in {@code io.skerry.format.message}; {@code FormatFile} resolves them through this table. Start
 * at {@link io.skerry.format.shared.SharedMessageTable}.
 */
package io.skerry.format.shared;
