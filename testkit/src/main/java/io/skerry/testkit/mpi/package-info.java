/**
 * Conformance suites for communicators and for the files that ranks open together. Every
 * message-passing back end must pass {@link io.skerry.testkit.mpi.CommunicatorConformance}, {@link
 * io.skerry.testkit.mpi.MessageConformance}, {@link io.skerry.testkit.mpi.MpiFileConformance} and
 * {@link io.skerry.testkit.mpi.FileOpeningConformance}.
 */
package io.skerry.testkit.mpi;
