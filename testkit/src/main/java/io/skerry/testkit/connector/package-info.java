/**
 * What every connector must do for the object model, whatever it stores the objects in. Start at
 * {@link io.skerry.testkit.connector.ConnectorConformance}.
 */
package io.skerry.testkit.connector;
