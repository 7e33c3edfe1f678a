/**
 * Code that all back ends share: argument and thread checks, collectives by messages, the
 * comparison of collective calls. Start at {@link io.skerry.mpi.internal.base.CheckedCommunicator}.
 */
package io.skerry.mpi.internal.base;
