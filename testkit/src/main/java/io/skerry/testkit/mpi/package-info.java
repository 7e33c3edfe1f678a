/**
 * Conformance suites for communicators and for the files that ranks open together. Every
 * message-passing back end must pass all of them; {@link
 * io.skerry.testkit.mpi.LargeTransferConformance} runs only on request. Start at {@link
 * io.skerry.testkit.mpi.CommunicatorConformance}.
 */
package io.skerry.testkit.mpi;
