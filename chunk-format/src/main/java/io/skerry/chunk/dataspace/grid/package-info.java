/**
 * The chunk grid of a dataset: cuts selections into slices of chunks and moves values between a
 * selection and its slices.
 */
package io.skerry.chunk.dataspace.grid;
