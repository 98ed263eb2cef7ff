-- Each contact has an address of its own.
local sent = 0
wrk.method = "POST"
wrk.headers["x-api-key"] = "demo-key"
wrk.headers["content-type"] = "application/json"

function init(args)
  prefix = (args[1] or "w") .. os.time()
end

function request()
  sent = sent + 1
  local body = string.format(
    '{"firstName":"Ada","lastName":"Lovelace","email":"%s-%d@example.com","phone":"+1415%07d","source":"bench","status":"open","lifecycleStage":"Lead"}',
    prefix, sent, sent)
  return wrk.format(nil, nil, nil, body)
end
