/**
 * Back end for MPJ Express: messages are divided into short packets. Start at {@link
 * io.skerry.mpi.internal.mpj.MpjSession}.
 */
package io.skerry.mpi.internal.mpj;
