/**
 * Verification and dumps of containers. Start at {@link
 * io.skerry.iod.object.check.ContainerVerifier} and {@link
 * io.skerry.iod.object.check.ContainerDump}.
 */
package io.skerry.iod.object.check;
