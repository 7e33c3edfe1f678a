package io.skerry.mpi;

/**
 * Status of a completed receive. For a completed send, the source is this rank.
 *
 * @param source the rank that sent the message
 * @param tag the tag of the message
 * @param bytes the length of the message in bytes
 */
public record Received(int source, int tag, long bytes) {}
