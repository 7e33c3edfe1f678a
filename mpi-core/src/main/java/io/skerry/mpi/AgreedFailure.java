package io.skerry.mpi;

/**
 * Marks a throwable that all ranks throw at the same point, after agreeing on it. {@link Mpi#run}
 * does not abort the job for such a failure: rank 0 prints the message, all ranks end MPI normally,
 * and the exit code is 1.
 */
public interface AgreedFailure {}
