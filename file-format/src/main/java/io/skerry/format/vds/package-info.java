/**
 * The mappings of virtual datasets: source names, selections, and the current extent of unlimited
 * selections. The sources are opened and read by the layers above. Start at {@link
 * io.skerry.format.vds.VirtualMappings}.
 */
package io.skerry.format.vds;
