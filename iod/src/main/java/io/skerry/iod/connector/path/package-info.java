/**
 * Paths of objects in a container: following links, and creating, moving and removing them. Start
 * at {@link io.skerry.iod.connector.path.PathResolver} and {@link
 * io.skerry.iod.connector.path.LinkEditor}.
 */
package io.skerry.iod.connector.path;
