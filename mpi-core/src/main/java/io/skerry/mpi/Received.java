package io.skerry.mpi;

/**
 * The status of a completed transfer. Immutable. The constructor and all methods are local and
 * thread-safe; they do not fail.
 *
 * @param source the rank that sent the message; for a send, this rank
 * @param tag the tag of the message
 * @param bytes the length of the message in bytes
 */
public record Received(int source, int tag, long bytes) {}
