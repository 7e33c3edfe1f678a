/**
 * Conformance suites for communicators and for the files that ranks open together. Every back end
 * of message passing must pass {@link io.skerry.testkit.mpi.CommunicatorConformance}, {@link
 * io.skerry.testkit.mpi.MessageConformance} and {@link io.skerry.testkit.mpi.MpiFileConformance}.
 */
package io.skerry.testkit.mpi;
