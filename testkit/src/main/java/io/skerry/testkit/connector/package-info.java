/**
 * Conformance suite for connectors, expressed through the object model. Start at {@link
 * io.skerry.testkit.connector.ConnectorConformance}.
 */
package io.skerry.testkit.connector;
