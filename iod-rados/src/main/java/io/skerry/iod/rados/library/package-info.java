/**
 * The functions of librados: clusters, pools, and reads and atomic changes of single objects. Start
 * at {@link io.skerry.iod.rados.library.Cluster}. Nothing in this package depends on containers.
 */
package io.skerry.iod.rados.library;
