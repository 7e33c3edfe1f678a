package io.skerry.mpi;

/**
 * Marks a throwable that every rank throws at the same point, after agreeing on it. {@link Mpi#run}
 * then needs no abort: rank 0 prints the message, all ranks finish in order and return 1.
 */
public interface AgreedFailure {}
