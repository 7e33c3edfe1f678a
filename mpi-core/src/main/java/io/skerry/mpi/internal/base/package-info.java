/**
 * Code that all back ends share: argument and thread checks, collective calls implemented with
 * messages, and the comparison of collective calls. Start at {@link
 * io.skerry.mpi.internal.base.CheckedCommunicator}.
 */
package io.skerry.mpi.internal.base;
