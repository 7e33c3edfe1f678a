/**
 * A connector that logs calls and passes them on to another connector; the template of pass-through
 * connectors. Start at {@link io.skerry.internal.log.LoggingConnector}.
 */
package io.skerry.internal.log;
