/**
 * Ranks as threads of one JVM. Not exported; reached through {@link io.skerry.mpi.LocalRanks} and
 * {@link io.skerry.mpi.Communicator#self()}.
 *
 * <p>{@link io.skerry.mpi.local.Turnstile} decides who may proceed and holds the one lock; {@link
 * io.skerry.mpi.local.Meeting} is one collective call and {@link io.skerry.mpi.local.Mailbox} the
 * messages for one rank; {@link io.skerry.mpi.local.LocalCommunicator} puts them together. Start
 * there.
 *
 * <p>It is stricter than an MPI library (different collectives at one point, sizes that do not fit
 * and deadlocks are found and reported) and just as loose in timing (nobody waits for more ranks
 * than the data requires), so that it finds the errors a library would punish by hanging.
 */
package io.skerry.mpi.local;
