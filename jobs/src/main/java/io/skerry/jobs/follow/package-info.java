/**
 * The command {@code follow}: prints what is new in a file while another program writes it. Start
 * at {@link io.skerry.jobs.follow.FollowHandler}.
 */
package io.skerry.jobs.follow;
