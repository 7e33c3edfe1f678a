/**
 * The chunk grid of a dataset: cuts selections into slices, each the part of a selection within one
 * chunk, and copies values between a selection and its slices. Start at {@link ChunkGrid}.
 */
package io.skerry.chunk.dataspace.grid;
