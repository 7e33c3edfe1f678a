/**
 * A use count that can be closed, and a watchdog for operations that hang. Independent of MPI.
 * Start at {@link io.skerry.mpi.internal.concurrent.StripedUseCount}.
 */
package io.skerry.mpi.internal.concurrent;
