package io.skerry.mpi;

/**
 * Status of a receive. For a finished send the source is the sender itself.
 *
 * @param source the rank that sent
 * @param tag the tag of the message
 * @param bytes the length of the message
 */
public record Received(int source, int tag, long bytes) {}
