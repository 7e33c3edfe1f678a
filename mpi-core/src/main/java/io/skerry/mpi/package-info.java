/** Ranks, communicators and collective files. Start at {@code Communicator}. */
package io.skerry.mpi;
