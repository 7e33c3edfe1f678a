/**
 * The interfaces and records that all chunk indexes share. Start at {@link
 * io.skerry.format.index.api.ChunkIndex}.
 */
package io.skerry.format.index.api;
