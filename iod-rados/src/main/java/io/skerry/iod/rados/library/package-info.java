/**
 * The functions of librados: clusters, pools, and reads and atomic changes of single objects. Start
 * at {@link io.skerry.iod.rados.library.Cluster}. Nothing here knows containers.
 */
package io.skerry.iod.rados.library;
