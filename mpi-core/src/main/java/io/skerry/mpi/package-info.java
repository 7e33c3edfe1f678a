/**
 * Message passing: {@code Mpi} starts it, a {@code Communicator} is a group of ranks, {@code
 * LocalRanks} runs ranks as threads of one JVM.
 */
package io.skerry.mpi;
