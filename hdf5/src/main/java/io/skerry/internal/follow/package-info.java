/**
 * Follows a file while another program writes it. Start at {@link
 * io.skerry.internal.follow.FileFollower}.
 */
package io.skerry.internal.follow;
