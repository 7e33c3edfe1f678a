/**
 * Back end for MPJ Express, whose ranks are threads of one JVM or JVMs that talk over TCP. Not
 * exported; reached through {@link io.skerry.mpi.Mpi}.
 *
 * <p>Nothing of MPJ Express is used but the blocking send and receive of short packets: a thread of
 * each rank receives all the time ({@link io.skerry.mpi.mpj.MpjLink}), so that no send waits for
 * long. {@link io.skerry.mpi.mpj.PostOffice} makes messages of packets, which are matched here, and
 * {@link io.skerry.mpi.base.MessageCommunicator} makes collective calls of messages.
 */
package io.skerry.mpi.mpj;
