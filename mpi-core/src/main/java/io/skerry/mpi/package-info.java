/**
 * Ranks, communicators and collective files, and nothing of HDF5 or chunks.
 *
 * <p>Everything that crosses a rank boundary in Skerry passes through {@link
 * io.skerry.mpi.Communicator} and {@link io.skerry.mpi.MpiFile}; start reading there. A program
 * gets its communicator from {@link io.skerry.mpi.Mpi}, a test from {@link
 * io.skerry.mpi.LocalRanks}. The back ends live in packages that are not exported: {@code local}
 * (ranks are threads of one JVM) and {@code ffm} (the installed MPI library).
 */
package io.skerry.mpi;
