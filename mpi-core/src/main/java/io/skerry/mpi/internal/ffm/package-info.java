/**
 * Back end for an MPI library that is called through the foreign function interface. Start at
 * {@code FfmSession}; {@code Abi} describes the differences between MPI libraries.
 */
package io.skerry.mpi.internal.ffm;
