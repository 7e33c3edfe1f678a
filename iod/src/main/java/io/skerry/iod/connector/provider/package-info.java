/** The connectors of engines that other modules provide. */
package io.skerry.iod.connector.provider;
